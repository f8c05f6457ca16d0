import { BellMark } from '../parts/icons.tsx'
import classes from './shell.module.css'

/** While the shell itself is on its way. */
export function SiteLoading() {
  return (
    <main id="main" tabIndex={-1} className={classes.waiting} aria-busy="true">
      <h1>
        <BellMark size={48} />
        <span>Loading</span>
      </h1>
    </main>
  )
}
