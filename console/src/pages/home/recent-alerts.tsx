import { ErrorNotice } from '../../components/error-notice.tsx'
import { RichRows } from '../../components/patterns/rich-row.tsx'
import { Status } from '../../components/status.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import type { List } from '../../data/lists.ts'
import { useSources } from '../../layouts/address/use-sources.ts'
import { AlertRow } from '../../layouts/alert/alert-row.tsx'
import { type Alert, statusOf } from '../../layouts/alert/alert-status.ts'
import type { Titles } from '../../layouts/alert/use-titles.ts'
import { ListCard } from './card.tsx'
import classes from './home.module.css'

type RecentAlertsProps = { workspace: string; list: List<Alert>; titles: Titles }

export function RecentAlerts({ workspace, list, titles }: RecentAlertsProps) {
  const sources = useSources()
  return (
    <ListCard title="Recent alerts" workspace={workspace} to="/w/$workspace/alerts">
      <ErrorNotice error={list.error} retry={list.reload} />
      {list.isLoading && <TableSkeleton label="Recent alerts" />}
      <RichRows label="Recent alerts, newest first">
        {list.items.map((alert) => (
          <AlertRow
            key={alert.id}
            workspace={workspace}
            alert={alert}
            titles={titles}
            source={sources.find(alert.source)}
            state={<State alert={alert} />}
          />
        ))}
      </RichRows>
      {!list.isLoading && !list.error && list.items.length === 0 && <p className={classes.foot}>No alerts yet.</p>}
    </ListCard>
  )
}

/** Only what is worth a word: a delivered alert shows its destinations. */
function State({ alert }: { alert: Alert }) {
  const status = statusOf(alert)
  return status.value === 'delivered' ? null : <Status {...status} />
}
