import type { ResultOf } from "../../gateway/graphql";
import type { WEBHOOKS } from "./documents";

export type EventType = NonNullable<ResultOf<typeof WEBHOOKS>["webhooks"]>["nodes"][number]["events"][number];

export const EVENTS: EventType[] = [
  "MESSAGE_RECEIVED", "MESSAGE_SENT", "MESSAGE_DELIVERED", "MESSAGE_READ", "MESSAGE_FAILED",
  "SMS_RECEIVED", "SMS_DELIVERED", "SMS_FAILED", "SMS_UNDELIVERED", "SMS_CLICKED",
  "RCS_DELIVERED", "RCS_READ", "RCS_FAILED", "RCS_CLICKED",
  "EMAIL_DELIVERED", "EMAIL_BOUNCED", "EMAIL_COMPLAINED", "EMAIL_OPENED", "EMAIL_CLICKED",
  "INSTAGRAM_MESSAGE_RECEIVED", "INSTAGRAM_MESSAGE_SENT", "INSTAGRAM_MESSAGE_FAILED",
  "CONTACT_CREATED", "CONTACT_OPTED_OUT", "CAMPAIGN_COMPLETED", "NUMBER_QUALITY_CHANGED",
  "TEMPLATE_APPROVED", "TEMPLATE_REJECTED", "APIKEY_CREATED", "APIKEY_ROTATED", "WALLET_LOW_BALANCE", "WALLET_DEPLETED",
  "JOURNEY_ENTERED", "JOURNEY_COMPLETED", "JOURNEY_PAUSED", "JOURNEY_CALLED",
];

/** `sms.delivered`, as deliveries spell it. */
export const eventName = (type: EventType): string =>
  type.toLowerCase().replace(/^(instagram_message|[a-z]+)_/, (begin) => `${begin.slice(0, -1).replace("_", ".")}.`);
