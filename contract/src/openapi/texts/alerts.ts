import type { alertRoutes } from '../../routes/alerts.ts'
import type { TextsOf } from './operation-text.ts'

export const alertTexts: TextsOf<typeof alertRoutes> = {
  listAlerts: {
    description:
      'Lists the alerts of the account’s subscriptions, newest first. Owners and admins also see those of others in their workspaces. The query narrows the list.',
    refusals: ['not_found'],
  },
  getAlert: {
    hasTag: true,
    description:
      'Answers the alert with everything that led to it: the item, the inputs, the results of the providers, the output and the message, and each attempt of each delivery.',
  },
  replayAlert: {
    description:
      'Sends the alert again to the resources where it did not arrive, or to all with `all: true`. Receivers get the same id, so that they can drop a repeat.',
  },
  streamEvents: {
    description:
      'Sends the events `alert` (a new or changed alert), `source` (the status of a source) and `gap` (events are missing: read the lists). A client that reconnects sends `Last-Event-ID` and gets the alerts that it missed. A stream ends after 15 minutes; connect again then.',
    refusals: ['not_found', 'limit_reached'],
  },
}
