export { Conversations } from "./Conversations";
