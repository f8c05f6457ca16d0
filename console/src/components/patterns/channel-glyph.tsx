import {
  type Icon,
  IconBraces,
  IconChat,
  IconCheck,
  IconClock,
  IconClose,
  IconHash,
  IconMail,
  IconRefresh,
  IconResource,
} from '../icons.tsx'
import classes from './glyph.module.css'

export type Outcome = 'delivered' | 'retrying' | 'failed' | 'queued' | 'dropped'

const icons: Record<string, Icon> = {
  telegram: IconResource,
  slack: IconHash,
  discord: IconChat,
  email: IconMail,
  webhook: IconBraces,
}
const outcomeIcons: Record<Outcome, Icon> = {
  delivered: IconCheck,
  retrying: IconRefresh,
  failed: IconClose,
  queued: IconClock,
  dropped: IconClose,
}

type ChannelGlyphProps = {
  /** The last part of a blueprint's name, such as `webhook`. */
  kind: string
  size?: number
  outcome?: Outcome
  /** The name for screen readers and on hover. Without it the glyph is decoration. */
  label?: string
}

/** The square mark of a destination's channel, with the outcome of a delivery at its corner. */
export function ChannelGlyph({ kind, size = 24, outcome, label }: ChannelGlyphProps) {
  const Icon = icons[kind] ?? IconBraces
  const OutcomeIcon = outcome && outcomeIcons[outcome]
  return (
    <span
      className={classes.channel}
      style={{ width: size, height: size }}
      data-kind={kind}
      title={label}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <Icon size={size * 0.62} />
      {OutcomeIcon && (
        <span className={classes.outcome} data-outcome={outcome}>
          <OutcomeIcon size={9} />
        </span>
      )}
    </span>
  )
}
