export { Contacts } from "./Contacts";
export { ContactPage } from "./ContactPage";
export { ImportContacts } from "./ImportContacts";
