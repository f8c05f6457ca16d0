import { LinkText } from '../../components/links.tsx'
import { useNow } from '../../components/relative-time.tsx'
import { Status } from '../../components/status.tsx'
import type { Alert } from './alert-status.ts'

type StateOfProps = {
  workspace: string
  alert: Alert
  /** False if the alert may have been resolved. */
  isOpen: boolean
}

/** Whether an alert began or ended something. The end links to the alert that began it. */
export function StateOf({ workspace, alert, isOpen }: StateOfProps) {
  const { state, status, resolves, durationMs } = alert
  if (state === null) return null
  if (state === 'resolved' && resolves !== undefined)
    return <Resolved workspace={workspace} other={resolves} durationMs={durationMs} />
  if (state === 'firing' && isOpen && status !== 'retracted') return <Firing alert={alert} />
  return <Status value={state} tone="quiet" label={state === 'firing' ? 'Fired' : 'Resolved'} />
}

function Firing({ alert: { createdAt, backfilled } }: { alert: Alert }) {
  const now = useNow()
  // A backfilled alert fired in an old block, long before it was recorded.
  const since = backfilled ? '' : ` for ${describeDuration(Math.max(0, now - Date.parse(createdAt)))}`
  return <Status value="firing" label={`Firing${since}`} />
}

type ResolvedProps = { workspace: string; other: string; durationMs: number | undefined }

/** Links to the other alert of the story. */
export function Resolved({ workspace, other, durationMs = 0 }: ResolvedProps) {
  return (
    <span>
      <Status value="resolved" tone="good" label="Resolved" />{' '}
      <LinkText to="/w/$workspace/alerts/$alert" params={{ workspace, alert: other }}>
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
