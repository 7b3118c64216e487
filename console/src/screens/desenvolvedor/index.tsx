export { Developer } from "./Developer";
export { WebhookPage } from "./WebhookPage";
export { DeliveryPage } from "./DeliveryPage";
