import type { ChannelIcon } from '@tocsin/contract'
import {
  type Icon,
  IconAlert,
  IconBraces,
  IconChat,
  IconCheck,
  IconClock,
  IconClose,
  IconHash,
  IconMail,
  IconRefresh,
  IconResource,
} from '../../components/icons.tsx'
import { useBlueprints } from './blueprints.ts'
import classes from './channel-glyph.module.css'

export type Outcome = 'delivered' | 'retrying' | 'failed' | 'queued' | 'dropped'

const icons: Readonly<Record<ChannelIcon, Icon>> = {
  bell: IconAlert,
  braces: IconBraces,
  chat: IconChat,
  hash: IconHash,
  mail: IconMail,
  plane: IconResource,
}
const outcomeIcons: Record<Outcome, Icon> = {
  delivered: IconCheck,
  retrying: IconRefresh,
  failed: IconClose,
  queued: IconClock,
  dropped: IconClose,
}

type ChannelGlyphProps = {
  blueprint: string
  size?: number
  outcome?: Outcome
  /** The name for screen readers and on hover. Without it the glyph is decoration. */
  label?: string
}

/**
 * The square mark of a destination's channel, with the outcome of a delivery at its corner. The blueprint says which icon and
 * colour it has; a channel without one, or with one that this console does not know, has a grey bell.
 */
export function ChannelGlyph({ blueprint, size = 24, outcome, label }: ChannelGlyphProps) {
  const { items, isLoading } = useBlueprints()
  const glyph = items.find(({ fullname }) => fullname === blueprint)?.glyph
  const Icon = (glyph && icons[glyph.icon]) ?? IconAlert
  const OutcomeIcon = outcome && outcomeIcons[outcome]
  return (
    <span
      className={classes.channel}
      style={{ width: size, height: size, background: glyph?.colour }}
      title={label}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {!isLoading && <Icon size={size * 0.62} />}
      {OutcomeIcon && (
        <span className={classes.outcome} data-outcome={outcome}>
          <OutcomeIcon size={9} />
        </span>
      )}
    </span>
  )
}
