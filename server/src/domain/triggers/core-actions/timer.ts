import type { CoreAction } from '@tocsin/contract'

export const timer: CoreAction = {
  type: 'timer',
  title: 'Timer',
  description: 'Runs at a steady interval. Add providers to fetch the values to check.',
  kind: 'timer',
  triggerSpec: { type: 'timer', interval: '5m' },
  inputs: {},
  filtersSchema: {},
  outputSchema: { raw: { now: 'string', timestampMs: 'integer' } },
  transform: { language: 'javascript', rawSource: '({ now: source.now, timestampMs: source.timestampMs })' },
  defaults: { title: 'Timer', short: 'It is {{raw.now}}', long: 'It is {{raw.now}}' },
}
