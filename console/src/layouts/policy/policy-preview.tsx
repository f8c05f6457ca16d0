import { Select, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { ValueChart, type ValueMark, type ValuePoint } from '../../charts/value-chart.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { countWords } from '../../components/numbers/count-words.ts'
import type { Body } from '../../data/api.ts'
import { useApiQuery } from '../../data/queries.ts'
import { checkPolicy, type PolicyDraft, policyOf } from './policy-draft.ts'

type Preview = Body<'previewPolicy'>

const debounceMs = 400
/** More labels than this would cover each other. */
const labelsMax = 6
const time = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' })

/** What the policy that is being edited would have told over the values that the subscription stored. */
export function PolicyPreview({ id, draft }: { id: string; draft: PolicyDraft }) {
  const [policy] = useDebouncedValue(checkPolicy(draft).length === 0 ? policyOf(draft) : null, debounceMs)
  const [key, setKey] = useState<string>()
  const isComparing = policy !== null && 'value' in policy
  const body = { policy, ...(key !== undefined && { key }) }
  const { data, error } = useApiQuery('previewPolicy', { id, body }, { enabled: isComparing })
  if (!isComparing) return null
  if (error) return <ErrorNotice error={error} />
  if (!data) return null
  return (
    <Stack gap="xs" component="section" aria-label="Preview of the policy">
      {data.keys.length > 1 && (
        <Select
          label="Values of"
          data={data.keys}
          value={data.key}
          allowDeselect={false}
          searchable
          onChange={(chosen) => chosen !== null && setKey(chosen)}
        />
      )}
      <Text size="sm" c="dimmed" role="status">
        {data.issue ?? summaryOf(data)}
      </Text>
      {data.values.length > 1 && (
        <ValueChart
          label={summaryOf(data)}
          points={data.values.map(pointOf)}
          marks={data.alerts.map((alert, at) => markOf(alert, data.alerts.length - at <= labelsMax))}
          xLabel={(x) => time.format(x)}
        />
      )}
    </Stack>
  )
}

function summaryOf({ values, alerts }: Preview): string {
  const resolved = alerts.filter(({ state }) => state === 'resolved').length
  const fired = alerts.length - resolved
  const since = values[0] ? ` since ${time.format(Date.parse(values[0].at))}` : ''
  const times = `fired ${countWords(fired, 'time')} and resolved ${countWords(resolved, 'time')}`
  return `Over the stored values${since}, this policy would have ${times}.`
}

function pointOf({ at, value, bound }: Preview['values'][number]): ValuePoint {
  const point = { x: Date.parse(at), y: Number(value), text: value }
  return bound === undefined ? point : { ...point, bound: Number(bound), boundText: bound }
}

function markOf({ at, state }: Preview['alerts'][number], isLabelled: boolean): ValueMark {
  return {
    x: Date.parse(at),
    name: state === 'resolved' ? 'Resolves' : 'Fires',
    isFiring: state !== 'resolved',
    isLabelled,
  }
}
