import type { customSourceRoutes } from '../../routes/custom-sources.ts'
import type { TextsOf } from './operation-text.ts'

export const customSourceTexts: TextsOf<typeof customSourceRoutes> = {
  listCustomSources: {
    description:
      'Lists the custom sources of the account’s workspaces and the public ones, with their status. `workspace` narrows the list.',
    refusals: ['not_found'],
  },
  getCustomSourceCreateCapability: {
    description:
      'Says whether the account can create custom sources and how many it has. A limit of null means that there is none.',
  },
  verifyCustomSource: {
    description:
      'Connects to each endpoint, checks that all are of one network, and answers what each can do. A node that fails answers 200 with `ok: false`. Tests are limited per account and workspace. Needs the role developer.',
    refusals: ['not_found'],
  },
  getCustomSource: {
    hasTag: true,
    description:
      'Answers one custom source with its status. Below the role developer, endpoints are shown as hosts only.',
  },
  saveCustomSource: {
    hasTag: true,
    description:
      'Creates the source (`mode: create`) or updates it (`mode: update`), then the engine starts or restarts it. The kind never changes. A network has at most one public source. Needs the role developer.',
    refusals: [
      'fullname_mismatch',
      'fullname_invalid',
      'already_exists',
      'immutable_field',
      'duplicate_source',
      'limit_reached',
    ],
  },
  deleteCustomSource: {
    description:
      'Stops and deletes the source. Triggers that listen to it become broken until a source with the name exists again. Needs the role admin.',
  },
  getCustomSourceLogs: {
    description:
      'Answers log entries of the source around `datetime`. `level` means that level and above; `limit` is 50, 100, 250 or 500. Needs the role developer.',
    refusals: ['forbidden'],
  },
  getSourceHistory: {
    description:
      'Answers status, head and lag of a source or a built-in network over the range, and how its endpoints answered within the last hour. Each step shows its worst minute; steps in which nobody followed the source are left out. Everybody who may use the source may read it.',
  },
  testCustomSourceStatus: {
    description:
      'Publishes a status event of the source, marked as a test, to the subscriptions that listen to it. The real status stays as it is. Needs the role developer.',
  },
  restartCustomSource: {
    description:
      'Disconnects the source and connects it again from its checkpoint. No block is skipped. Needs the role developer.',
  },
  resetCustomSourceLag: {
    description:
      'Moves the source to the newest block. The blocks in between are never processed. Needs the role developer.',
  },
}
