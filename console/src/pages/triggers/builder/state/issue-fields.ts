type Field = { label: string; tab: string | undefined; showsIssue: boolean }

/** The tabs of the builder and the paths of the definition that each one edits. */
export const tabPaths = [
  ['Source', /^(triggerSpec|sourceBindings|backend)/],
  ['Condition', /^(conditions|activation)/],
  ['Data', /^(providers|executionPolicy|transform|inputs|filtersSchema|outputSchema)/],
  ['Message', /^(defaults|meta)/],
  ['JSON', /^definition$/],
] as const satisfies [string, RegExp][]

/** Fields that show their own issue, by path. */
const labels: [RegExp, string][] = [
  [/^meta\.title$/, 'Title'],
  [/^meta\.description$/, 'Description'],
  [/^defaults\.title$/, 'Message title'],
  [/^defaults\.short$/, 'Short text'],
  [/^defaults\.long$/, 'Long text'],
  [/^defaults\.severity/, 'Severity'],
  [/^defaults\.links\./, 'Links'],
  [/^defaults\.(icon|avatar|cover)$/, 'Images'],
  [/^triggerSpec\.contract(\.\d+)?$/, 'Contract'],
  [/^triggerSpec\.(abiFragment|event)$/, 'Event'],
  [/^triggerSpec\.programId$/, 'Program'],
  [/^triggerSpec\.instruction$/, 'Instruction'],
  [/^triggerSpec\.idl$/, 'IDL'],
  [/^triggerSpec\.method$/, 'Method'],
  [/^triggerSpec\.success$/, 'Outcome'],
  [/^triggerSpec\.every$/, 'Every'],
  [/^triggerSpec\.interval$/, 'Interval'],
  [/^triggerSpec\.pallet$/, 'Pallet'],
  [/^triggerSpec\.call$/, 'Call'],
  [/^triggerSpec\.contract\.factory\./, 'Factory'],
  [/^sourceBindings\.\d+\.(id|contract|values)/, 'Source'],
  [/^executionPolicy\./, 'Limits of a run'],
  [/^conditions/, 'Conditions'],
  [/^activation/, 'Activation'],
  [/^transform/, 'Transform'],
]

/** The label and the tab of the field of an issue. */
export function fieldOf(path: string): Field {
  const tab = tabPaths.find(([, owns]) => owns.test(path))?.[0]
  const label = labels.find(([matches]) => matches.test(path))?.[1]
  return { label: label ?? (path || 'Definition'), tab, showsIssue: label !== undefined }
}
