import classes from './status.module.css'

export type Tone = 'good' | 'busy' | 'bad' | 'quiet' | 'warn'

const tones: Record<string, Tone> = {
  running: 'good',
  ready: 'good',
  accepted: 'good',
  active: 'good',
  delivered: 'good',
  completed: 'good',
  ok: 'good',
  digested: 'good',
  pending: 'busy',
  claimed: 'busy',
  collected: 'busy',
  waiting: 'busy',
  lagging: 'warn',
  warning: 'warn',
  limited: 'warn',
  expired: 'warn',
  exhausted: 'warn',
  warn: 'warn',
  not_tested: 'quiet',
  paused: 'quiet',
  retrying: 'warn',
  queued: 'busy',
  stopped: 'quiet',
  cancelled: 'quiet',
  superseded: 'quiet',
  retracted: 'quiet',
  listed: 'quiet',
  info: 'quiet',
  critical: 'bad',
  firing: 'warn',
  failing: 'warn',
}

/** A status in words with a coloured dot. */
export function Status({ value, tone, label }: { value: string; tone?: Tone; label?: string }) {
  return (
    <span className={classes.status} data-tone={tone ?? tones[value] ?? 'bad'}>
      {label ?? statusLabel(value)}
    </span>
  )
}

/** `not_tested` → “Not tested” */
export function statusLabel(value: string): string {
  const words = value.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Options of a status filter. */
export function statusOptions<Value extends string>(values: readonly Value[]): { value: Value; label: string }[] {
  return values.map((value) => ({ value, label: statusLabel(value) }))
}

/** A word in a box, such as a role, a kind or an access level. */
export function Label({ children }: { children: string }) {
  return <span className={classes.label}>{children.replaceAll('_', ' ')}</span>
}
