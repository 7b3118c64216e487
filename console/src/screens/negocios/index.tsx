export { Deals } from "./Deals";
