/** The ready-made starting points of the trigger builder, in the order in which it shows them. */
import type { CoreAction } from '@tocsin/contract'
import { listRules } from './chains.ts'

const timer: CoreAction = {
  type: 'timer',
  title: 'Timer',
  description: 'Runs at a fixed interval. Add providers to fetch the values to check.',
  kind: 'timer',
  triggerSpec: { type: 'timer', interval: '5m' },
  inputs: {},
  filtersSchema: {},
  outputSchema: { raw: { now: 'string', timestampMs: 'integer' } },
  transform: { language: 'javascript', rawSource: '({ now: source.now, timestampMs: source.timestampMs })' },
  notSeen: ['What happens and ends between two ticks.'],
  defaults: { title: 'Timer', short: 'It is {{raw.now}}', long: 'It is {{raw.now}}' },
}

export function listCoreActions(): CoreAction[] {
  return [...listRules().flatMap(({ coreActions }) => coreActions), timer]
}
