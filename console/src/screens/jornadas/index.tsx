export { Journeys } from "./Journeys";
export { JourneyPage } from "./JourneyPage";
