/** The ready-made starting points of the trigger builder, in the order in which it shows them. */
import type { CoreAction } from '@tocsin/contract'
import { at, texts } from './action-fields.ts'
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

/** What the starting points on the health of their own workspace share. */
const healthTypes = ['source', 'trigger', 'destination'] as const

const ofHealth = {
  kind: 'workspace' as const,
  triggerSpec: null,
  inputs: {},
  filtersSchema: {
    severity: at('severity', { type: 'enum', enum: ['info', 'warning', 'critical'] }, 'How bad it is'),
    name: at('name', 'string', 'The full name of the source, trigger or destination'),
  },
  outputSchema: {
    raw: {
      type: { type: 'enum', enum: [...healthTypes] },
      name: 'string',
      what: 'string',
      status: 'string',
      previousStatus: 'string',
      severity: 'string',
      message: 'string',
      at: 'string',
    },
  },
  transform: {
    language: 'javascript' as const,
    rawSource: `const { type, name, status, previousStatus, severity, message, at } = source
const nouns = { source: 'Source', trigger: 'Trigger', destination: 'Destination' }
const verbs = { error: 'has stopped', lagging: 'is behind its chain', broken: 'has stopped', failing: 'is failing' }
const verb = severity === 'info' ? 'works again' : (verbs[status] ?? 'is ' + status)
return { type, name, what: nouns[type] + ' ' + name + ' ' + verb, status, previousStatus, severity, message, at }`,
  },
  defaults: {
    ...texts('{{raw.what}}: {{raw.message}}', {
      title: '{{raw.what}}',
      more: '\nBefore: {{raw.previousStatus}}. Now: {{raw.status}}.',
    }),
    severity: '{{raw.severity}}',
  },
} satisfies Partial<CoreAction>

type Own = Pick<CoreAction, 'type' | 'title' | 'description' | 'notSeen'> & { values: Record<string, string> }
const onHealth: readonly Own[] = [
  {
    type: 'health_changed',
    title: 'Anything stops',
    description: 'A trigger, source or destination of the workspace stops working, or works again.',
    notSeen: ['An outage of the whole service: it can tell nobody.', 'A source that no live trigger reads.'],
    values: {},
  },
  {
    type: 'monitor_stopped',
    title: 'A monitor stopped working',
    description: 'A trigger of the workspace breaks or is limited, or works again.',
    notSeen: [
      'Triggers whose source is in error: the source is told of instead.',
      'Triggers that listen to this health themselves.',
    ],
    values: { type: 'trigger' },
  },
  {
    type: 'node_stopped',
    title: 'A node stopped answering',
    description: 'A source of the workspace, or a network that its triggers read, is in error or behind, or recovers.',
    notSeen: ['A source that no live trigger reads.'],
    values: { type: 'source' },
  },
  {
    type: 'destination_failing',
    title: 'A destination fails',
    description: 'Deliveries to a destination of the workspace fail, or arrive again.',
    notSeen: ['A destination that accepts messages and shows them to nobody.'],
    values: { type: 'destination' },
  },
]

const healthActions: readonly CoreAction[] = onHealth.map(({ values, ...own }) => ({
  ...own,
  ...ofHealth,
  stream: { name: 'health', values },
}))

export function listCoreActions(): CoreAction[] {
  return [...listRules().flatMap(({ coreActions }) => coreActions), timer, ...healthActions]
}
