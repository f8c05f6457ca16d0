import type { Item } from '../../data/api.ts'
import classes from './network-mark.module.css'

type Source = Pick<Item<'listRuntimeSources'>, 'title' | 'kind'>

/** A round mark with the first letter of the network, in the colour of its kind. */
export function NetworkMark({ source: { title, kind } }: { source: Source }) {
  return (
    <span className={classes.mark} data-kind={kind} aria-hidden="true">
      {title.charAt(0).toUpperCase()}
    </span>
  )
}
