import { graphql } from "../../gateway/graphql";

export const JOURNEYS = graphql(`
  query Journeys($filter: JourneyFilter, $after: String) {
    journeys(first: 100, after: $after, filter: $filter) {
      pageInfo { hasNextPage endCursor }
      nodes {
        id name status versao canais metaEvento entradasEncerradas
        execucoes { ativa concluida cancelada erro }
        pausadaPor { motivo rotulo }
        gatilho { nome ao }
        segmento { nome }
        lista { nome }
      }
    }
  }
`);

export const JOURNEY = graphql(`
  query JourneyPage($id: ID!, $templates: Boolean!) {
    templates(first: 100) @include(if: $templates) { nodes { id name } }
    journey(id: $id) {
      id name status versao versaoDe substituidaPor entradasEncerradas ativadaEm updatedAt entradaPasso
      reentrada intervaloReentradaHoras
      execucoes { ativa concluida cancelada erro }
      pausadaPor { motivo passo em rotulo }
      gatilho { nome ao chave segmentId listId }
      segmento { nome }
      lista { nome tamanho }
      silencio { inicio fim }
      tetoDeFrequencia { mensagens dias }
      meta { evento }
      passos {
        id tipo rotulo proximo config
        metricas {
          entraram aguardando concluiram erros puladosPorMotivo { motivo quantidade } conversoes tempoMedianoSegundos
          mensagens { enviadas entregues lidas cliques }
        }
      }
      runs(first: 20) { nodes { id estado passo noPassoDesde segueEm motivo contact { id name phone } } }
    }
  }
`);

export const PROGRESS = graphql(`
  subscription JourneyProgress($id: ID!) {
    journeyProgress(id: $id) {
      id status entradasEncerradas
      execucoes { ativa concluida cancelada erro }
      pausadaPor { motivo passo em rotulo }
      passos {
        id tipo rotulo proximo config
        metricas {
          entraram aguardando concluiram erros puladosPorMotivo { motivo quantidade } conversoes tempoMedianoSegundos
          mensagens { enviadas entregues lidas cliques }
        }
      }
    }
  }
`);

/** Those who stand on a step. */
export const PEOPLE = graphql(`
  query JourneyPeople($id: ID!, $filter: JourneyRunFilter, $after: String) {
    journey(id: $id) {
      id
      runs(first: 20, after: $after, filter: $filter) {
        pageInfo { hasNextPage endCursor }
        nodes { id estado passo noPassoDesde segueEm motivo contact { id name phone } }
      }
    }
  }
`);

export const RUN = graphql(`
  query JourneyTrail($id: ID!) {
    journeyRun(id: $id) {
      id estado passo entrouEm noPassoDesde segueEm aguardaEvento terminouEm motivo
      contact { id name phone }
      trilha { em passo resultado fatos }
    }
  }
`);

export const FIND_PEOPLE = graphql(`
  query RehearsalContacts($q: String!) {
    contacts(first: 6, filter: { q: $q }) { nodes { id name phone } }
  }
`);

export const REHEARSAL = graphql(`
  query Rehearsal($id: ID!, $input: JourneyRehearsalInput!) {
    journeyRehearsal(id: $id, input: $input) {
      coins
      passos { passo em ate resultado caminho motivo decisao { veredito frase oQueFazer } }
    }
  }
`);

export const FORECAST = graphql(`
  query JourneyForecast($id: ID!) {
    journeyForecast(id: $id) { publico amostra coins termino }
  }
`);

export const ACTIVATE = graphql(`
  mutation ActivateJourney($id: ID!, $input: ActivateJourneyInput) {
    activateJourney(id: $id, input: $input) {
      journeyId entrarao coinsEstimados terminoEstimado
      journey { id status ativadaEm execucoes { ativa concluida cancelada erro } }
    }
  }
`);

export const PAUSE = graphql(`
  mutation PauseJourney($id: ID!) {
    pauseJourney(id: $id) { id status pausadaPor { motivo passo em rotulo } }
  }
`);

export const RESUME = graphql(`
  mutation ResumeJourney($id: ID!) {
    resumeJourney(id: $id) { id status pausadaPor { motivo passo em rotulo } }
  }
`);

export const END_ENTRIES = graphql(`
  mutation EndJourneyEntries($id: ID!) {
    endJourneyEntries(id: $id) { id status entradasEncerradas }
  }
`);

export const ARCHIVE = graphql(`
  mutation ArchiveJourney($id: ID!, $input: ArchiveJourneyInput) {
    archiveJourney(id: $id, input: $input) { id status execucoes { ativa concluida cancelada erro } }
  }
`);

export const DUPLICATE = graphql(`
  mutation DuplicateJourney($id: ID!) {
    duplicateJourney(id: $id) { id name status }
  }
`);

export const TAKE_OUT = graphql(`
  mutation TakeOutOfJourney($journeyId: ID!, $id: ID!) {
    deleteJourneyRun(journeyId: $journeyId, id: $id) { id }
  }
`);

/** Of a draft in place; of a journey that runs a draft of the next version is made, with an id of its own. */
export const CHANGE_STEPS = graphql(`
  mutation ChangeJourneySteps($id: ID!, $input: UpdateJourneyInput!) {
    updateJourney(id: $id, input: $input) {
      id updatedAt entradaPasso
      passos {
        id tipo rotulo proximo config
        metricas {
          entraram aguardando concluiram erros puladosPorMotivo { motivo quantidade } conversoes tempoMedianoSegundos
          mensagens { enviadas entregues lidas cliques }
        }
      }
    }
  }
`);

/** Two versions of a journey, as they lie side by side. */
export const VERSIONS = graphql(`
  query JourneyVersions($before: ID!, $after: ID!) {
    before: journey(id: $before) {
      id name status versao entradaPasso
      execucoes { ativa concluida cancelada erro }
      gatilho { nome ao chave segmentId listId }
      segmento { nome }
      lista { nome tamanho }
      passos {
        id tipo rotulo proximo config
        metricas {
          entraram aguardando concluiram erros puladosPorMotivo { motivo quantidade } conversoes tempoMedianoSegundos
          mensagens { enviadas entregues lidas cliques }
        }
      }
    }
    after: journey(id: $after) {
      id name status versao entradaPasso
      execucoes { ativa concluida cancelada erro }
      gatilho { nome ao chave segmentId listId }
      segmento { nome }
      lista { nome tamanho }
      passos {
        id tipo rotulo proximo config
        metricas {
          entraram aguardando concluiram erros puladosPorMotivo { motivo quantidade } conversoes tempoMedianoSegundos
          mensagens { enviadas entregues lidas cliques }
        }
      }
    }
  }
`);

/** With `simular` nobody is moved. */
export const MIGRATE = graphql(`
  mutation MigrateJourneyRuns($id: ID!, $input: MigrateJourneyRunsInput!) {
    migrateJourneyRuns(id: $id, input: $input) { journeyId movidas encerradas mantidas }
  }
`);

/** What a message of WhatsApp may be sent from. */
export const NUMBERS = graphql(`
  query JourneyNumbers {
    numbers(first: 50) { nodes { id displayPhone } }
  }
`);

/** What it may say outside of the window. */
export const TEMPLATES = graphql(`
  query JourneyTemplates($numberId: ID!) {
    templates(first: 100, filter: { status: APPROVED, numberId: $numberId }) {
      nodes { id name language variaveis { componente indice exemplo botao } components { type payload } }
    }
  }
`);

/** Where a deal may be put. */
export const CARD_PLACES = graphql(`
  query JourneyCardPlaces {
    pipelines(first: 50) { nodes { id nome etapas { id nome } } }
  }
`);

export const SOURCES = graphql(`
  query JourneySources {
    lists(first: 100) { nodes { id name } }
    segments(first: 100) { nodes { id name } }
  }
`);

export const CREATE = graphql(`
  mutation CreateJourney($input: CreateJourneyInput!) {
    createJourney(input: $input) { id }
  }
`);
