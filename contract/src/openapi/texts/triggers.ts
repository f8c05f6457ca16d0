import type { triggerRoutes } from '../../routes/triggers.ts'
import type { TextsOf } from './operation-text.ts'

const names = ['fullname_mismatch', 'fullname_invalid'] as const
const testLimit = 'Tests are limited per account and workspace.'

export const triggerTexts: TextsOf<typeof triggerRoutes> = {
  listTriggers: {
    description:
      'Lists the saved triggers of projects that the account may read, ordered by fullname. Drafts are never listed. `project` and `workspace` narrow the list.',
    refusals: ['not_found'],
  },
  listCoreActions: {
    description:
      'Answers definitions of common triggers, such as token transfers, approvals, swaps, balances and timers. Each one validates and previews as it is.',
  },
  listRuntimeSources: {
    description:
      'Lists the built-in networks and the custom sources that the account may read, with status, newest block and lag. A `dataSource` is a fullname of this list.',
  },
  previewTrigger: {
    description: `Runs conditions, activation and transform on the given \`input\`. Providers are checked but not called: their values come from \`providersData\`. A mistake in the definition answers 200 with \`valid: false\` and issues. ${testLimit}`,
    refusals: ['not_found'],
  },
  previewMessage: {
    description: `Renders \`defaults\` with the given output and item, as a subscription without overrides would, and answers the body that each channel would send. A mistake in a template answers 200 with \`valid: false\` and issues with line and column. ${testLimit}`,
    refusals: ['not_found'],
  },
  testTrigger: {
    description: `Runs the whole definition, with its providers, on \`input\`, on an item that \`test\` names in the source, or on the \`testInput\` of the spec. What the code or a node does wrong answers 200 with \`valid: false\` and issues. It saves and sends nothing. ${testLimit}`,
    refusals: ['not_found'],
  },
  testTriggerBlock: {
    description: `Reads a block from the source and runs the definition on its matching item number \`itemIndex\`, which is 0 by default. No such item answers 200 with \`valid: false\`. It saves and sends nothing. ${testLimit}`,
    refusals: ['not_found'],
  },
  testProvider: {
    description: `Runs one provider on an input and answers its result, its request with masked secrets, and its duration. A provider that fails answers 200 with \`valid: false\`. ${testLimit}`,
    refusals: ['not_found'],
  },
  findLatestBlock: {
    description: `Goes back from the newest block, 100 blocks by default and 1,000 at most, until an item matches, and answers it as an input for tests. ${testLimit}`,
    refusals: ['not_found'],
  },
  patchTriggers: {
    description:
      'Patches up to 200 triggers in one transaction. If one item is refused, nothing changes and `details.items` names the issues of each. `dryRun` answers what would change. Needs the role developer in each workspace.',
    refusals: ['not_found', 'immutable_field', 'limit_reached'],
  },
  removeTriggers: {
    description:
      'Deletes up to 200 triggers with their drafts in one transaction. If one is missing or may not be deleted, nothing changes. `dryRun` answers what would be deleted. Needs the role developer in each workspace.',
    refusals: ['not_found'],
  },
  getTrigger: {
    hasTag: true,
    description:
      'Answers the saved trigger. Below the role developer, providers show only what cannot hold a secret. The former name of a transferred trigger still finds it.',
  },
  saveTrigger: {
    hasTag: true,
    description:
      'Creates the trigger or saves it in full: an omitted optional field is cleared, and its draft is discarded. The definition must be valid. A change of the definition sets the status to `not_tested`. The engine follows the change at once. Needs the role developer.',
    refusals: [...names, 'not_found', 'limit_reached'],
  },
  patchTrigger: {
    description:
      'Sets and unsets fields by dotted paths, such as `meta.title` or `providers.0.url`; `\\.` is a dot in a name. The result must be valid as a full save is. `dryRun` answers what would change. Needs the role developer.',
    refusals: ['immutable_field', 'limit_reached'],
  },
  deleteTrigger: {
    description:
      'Deletes the trigger with its draft, logs and state. Subscriptions to it stop and show an issue. Needs the role developer.',
  },
  getTriggerDraft: {
    hasTag: true,
    description:
      'Answers the draft with `draft.exists: true`, or the saved trigger with `draft.exists: false`. Needs the role developer.',
    refusals: ['forbidden'],
  },
  saveTriggerDraft: {
    hasTag: true,
    description:
      'Stores an unfinished definition; only the types of its fields are checked. There is one draft per trigger, and it may exist before the trigger. A draft never runs. Needs the role developer.',
    refusals: [...names, 'limit_reached'],
  },
  deleteTriggerDraft: {
    description: 'Discards the draft. The saved trigger, if there is one, stays as it is. Needs the role developer.',
  },
  validateTriggerDraft: {
    description:
      'Checks the definition in the body as a save does and answers every issue with its path, and the definition in canonical form. It saves nothing. Needs the role developer.',
  },
  listTriggerVersions: {
    description:
      'Lists the published versions of the trigger, newest first: who published it, when, and which fields changed. The newest 200 are kept, unless the operator sets another limit. Needs the role developer.',
    refusals: ['forbidden'],
  },
  getTriggerVersion: {
    description:
      'Answers one published version with the definition that would save it again. Needs the role developer, because providers may hold keys.',
    refusals: ['forbidden'],
  },
  restoreTriggerVersion: {
    hasTag: true,
    description:
      'Publishes an earlier version again, as a new version, and discards the draft. It is checked as any save is, because lists and sources that it names may be gone. With `If-Match` it changes nothing if the trigger was saved meanwhile. Needs the role developer.',
    refusals: ['limit_reached'],
  },
  getTriggerCounts: {
    description:
      'Answers how many alerts the trigger made for all of its subscribers, and how their deliveries went, for each hour of the range. Only members of its workspace may read it, even if the trigger is public.',
    refusals: ['forbidden'],
  },
  getTriggerRuns: {
    description:
      'Answers how often the trigger ran in each hour of the range, how long the runs took, how many failed and how many calls their providers made, with the newest runs. Needs the role developer, because errors may quote the definition.',
    refusals: ['forbidden'],
  },
  getTriggerLogs: {
    description:
      'Answers the deliveries, failures and source pressure of a trigger around `datetime`. Equal entries within an hour are one entry with a count. Needs the role developer.',
    refusals: ['forbidden'],
  },
  resetTriggerTestStatus: {
    description:
      'Sets the status of the trigger to `not_tested`, so that it can be tested again. The definition stays as it is. Needs the role developer.',
  },
  backtestTrigger: {
    description: `Runs a saved trigger or a definition over up to 10,000 past blocks and answers in which blocks it would have fired, with samples. If a saved trigger has a draft, both are run and compared. With \`Accept: text/event-stream\` it sends \`progress\` events and then the result as the event \`result\`. ${testLimit}`,
    refusals: ['not_found'],
  },
  getTemplateHelpers: {
    description:
      'Lists the helpers that message templates can use, with their arguments. The answer is the same for everybody and may be cached.',
  },
}
