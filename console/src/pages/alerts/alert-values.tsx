import { ValueChart, type ValueMark, type ValuePoint } from '../../charts/value-chart.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Section } from '../../components/page.tsx'
import { useApiQuery } from '../../data/queries.ts'
import type { TracedAlert } from '../../layouts/alert/alert-status.ts'
import { type Values, valuesAround } from './values-around.ts'

const pollMs = 30_000
const time = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

/** What the policy compared before, during and after the alert. Alerts of policies without a value show nothing. */
export function AlertValues({ alert }: { alert: TracedAlert }) {
  const { id, resolves, resolvedBy, subscription } = alert
  const { data, error } = useApiQuery('getAlertValues', { id }, { pollMs, enabled: subscription !== undefined })
  const own = new Set([id, resolves, resolvedBy?.id].flatMap((each) => each ?? []))
  const shown = data && valuesAround(data, own)
  if (error) return <ErrorNotice error={error} />
  if (!shown || shown.values.length < 2) return null
  const points = shown.values.map(pointOf)
  const hasBound = points.some(({ bound }) => bound !== undefined)
  return (
    <Section title="Value" about={hasBound ? 'The dashed line is the bound.' : undefined}>
      <ValueChart
        label={labelOf(shown)}
        points={points}
        marks={shown.alerts.map((each) => markOf(each, own))}
        xLabel={(x) => time.format(x)}
      />
    </Section>
  )
}

function pointOf({ at, value, bound }: Values['values'][number]): ValuePoint {
  const point = { x: Date.parse(at), y: Number(value), text: value }
  return bound === undefined ? point : { ...point, bound: Number(bound), boundText: bound }
}

function markOf({ id, at, state }: Values['alerts'][number], own: ReadonlySet<string>): ValueMark {
  const name = state === null ? 'Alert' : state === 'firing' ? 'Fired' : 'Resolved'
  return { x: Date.parse(at), name, isFiring: state !== 'resolved', isLabelled: own.has(id) }
}

function labelOf({ values }: Values): string {
  const last = values.at(-1)
  return `The value over time: ${last?.value ?? ''} at ${time.format(Date.parse(last?.at ?? ''))}`
}
