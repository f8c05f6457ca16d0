import { useNetwork } from '@mantine/hooks'
import { Notice } from '../components/notice.tsx'
import classes from './shell.module.css'

/** Shown above every page while the browser has no network. */
export function OfflineNotice() {
  const { online } = useNetwork()
  if (online) return null
  return (
    <div className={classes.notice}>
      <Notice tone="warn" title="You are offline">
        The page shows what was loaded before. Tocsin tries again when the network is back.
      </Notice>
    </div>
  )
}
