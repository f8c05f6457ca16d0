import { IconCheck, IconClose } from '../../components/icons.tsx'
import { groupDigits } from '../../components/numbers/group-digits.ts'
import classes from './condition.module.css'
import type { RowResult } from './condition-form.ts'

const shownMax = 60

/** Whether the sample meets the comparison above, with the value that it has. */
export function SampleResult({ result }: { result: RowResult | undefined }) {
  if (!result || result.held === null) return null
  const Icon = result.held ? IconCheck : IconClose
  return (
    <p className={classes.result} data-held={result.held}>
      <Icon size={14} />
      {result.held ? 'True' : 'False'} for the sample: {result.issue ?? shown(result.value)}
    </p>
  )
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return 'no value'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const grouped = groupDigits(text)
  return grouped.length > shownMax ? `${grouped.slice(0, shownMax)}…` : grouped
}
