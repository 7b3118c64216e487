export { Contacts } from "./Contacts";
export { ContactPage } from "./ContactPage";
