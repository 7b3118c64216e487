import { graphql } from "../../gateway/graphql";

export const HOME = graphql(`
  query Home($today: DateTime!, $yesterday: DateTime!, $timezone: String!) {
    me { wallet { disponivelCoins reservadoCoins devidoCoins limiteAvisoCoins } }
    today: messageStats(from: $today, bucket: DAY, timezone: $timezone, groupBy: [CHANNEL]) {
      totals { sent delivered read failed received coins }
      points { channel sent delivered read failed received coins }
    }
    yesterday: messageStats(from: $yesterday, to: $today, bucket: DAY, timezone: $timezone) {
      totals { sent delivered failed received coins }
    }
    refused: decisionStats(from: $today, timezone: $timezone) { totals { recusadas } }
    people: contactStats(from: $today, timezone: $timezone) { totals { created total optOuts } }
    failing: webhooks(first: 5, filter: { status: FAILING }) { nodes { id url consecutiveFailures revokesAt } }
    revoked: webhooks(first: 5, filter: { status: REVOKED }) { nodes { id url } }
    yellow: numbers(first: 5, filter: { qualityRating: YELLOW }) { nodes { id displayPhone qualityRating } }
    red: numbers(first: 5, filter: { qualityRating: RED }) { nodes { id displayPhone qualityRating } }
    stopped: journeys(first: 20, filter: { status: PAUSADA }) { nodes { id name pausadaPor { motivo passo em rotulo } } }
    messages(first: 12) {
      nodes { __typename id channel direction status failure to from createdAt contactId contact { id name } }
    }
  }
`);

export const HOME_LIVE = graphql(`
  subscription HomeLive {
    messageChanged { id channel direction status failure to from createdAt contactId contact { id name } }
  }
`);
