import { isSameOrigin } from '../../components/picture.tsx'
import type { Item } from '../../data/api.ts'
import { networkIcon } from './network-icons.ts'
import classes from './network-mark.module.css'

type Source = Pick<Item<'listRuntimeSources'>, 'title' | 'kind' | 'network' | 'icon'>

/**
 * The icon that the source sets, else that of its network, else a round mark with its first letter in the colour of its
 * kind. Icons of other origins are not loaded.
 */
export function NetworkMark({ source: { title, kind, network, icon } }: { source: Source }) {
  const shown = isSameOrigin(icon) ? icon : networkIcon(network)
  if (shown !== undefined) return <img className={classes.icon} src={shown} alt="" loading="lazy" />
  return (
    <span className={classes.mark} data-kind={kind} aria-hidden="true">
      {title.charAt(0).toUpperCase()}
    </span>
  )
}
