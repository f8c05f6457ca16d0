import { LinkText } from '../../components/link-text.tsx'
import { Status } from '../../components/status.tsx'
import type { Alert } from './alert-status.ts'

type StateOfProps = { workspace: string; alert: Pick<Alert, 'state' | 'resolves' | 'durationMs'> }

/** Whether an alert began or ended something. The end links to the alert that began it. */
export function StateOf({ workspace, alert: { state, resolves, durationMs = 0 } }: StateOfProps) {
  if (state === null) return null
  if (state === 'firing' || resolves === undefined) return <Status value={state} label="Firing" />
  return (
    <span>
      <Status value={state} tone="good" label="Resolved" />{' '}
      <LinkText to="/w/$workspace/alerts/$alert" params={{ workspace, alert: resolves }}>
        after {describeDuration(durationMs)}
      </LinkText>
    </span>
  )
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const

/** The two largest units: `1d 4h`, `3m 20s`, `0s`. */
export function describeDuration(ms: number): string {
  let left = Math.round(ms / 1000) * 1000
  const parts = units.flatMap(([unit, unitMs]) => {
    const count = Math.floor(left / unitMs)
    left -= count * unitMs
    return count > 0 ? [`${count}${unit}`] : []
  })
  return parts.slice(0, 2).join(' ') || '0s'
}
