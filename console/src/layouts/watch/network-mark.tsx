import { isSameOrigin } from '../../components/picture.tsx'
import type { Item } from '../../data/api.ts'
import classes from './network-mark.module.css'

type Source = Pick<Item<'listRuntimeSources'>, 'title' | 'kind' | 'icon'>

/** The icon of the network, else a round mark with its first letter in the colour of its kind. Icons of other origins are not loaded. */
export function NetworkMark({ source: { title, kind, icon } }: { source: Source }) {
  if (isSameOrigin(icon)) return <img className={classes.icon} src={icon} alt="" loading="lazy" />
  return (
    <span className={classes.mark} data-kind={kind} aria-hidden="true">
      {title.charAt(0).toUpperCase()}
    </span>
  )
}
