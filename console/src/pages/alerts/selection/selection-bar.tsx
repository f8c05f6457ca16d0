import { Button, Checkbox, Group } from '@mantine/core'
import { ConfirmAction } from '../../../components/confirm-action.tsx'
import { IconRefresh } from '../../../components/icons.tsx'
import type { Alert } from '../../../layouts/alert/alert-status.ts'
import { PauseSubscriptions } from './pause-subscriptions.tsx'
import classes from './selection-bar.module.css'
import { useResendAlerts } from './use-resend-alerts.ts'

type SelectionBarProps = {
  workspace: string
  /** How many rows are loaded. */
  total: number
  rows: number
  /** The alerts of the selected rows. A row of a resolved alert has two. */
  alerts: readonly Alert[]
  selectAll: () => void
  clear: () => void
}

/** Above the feed: selects all rows, and acts on the selected ones. It stays in sight while some are selected. */
export function SelectionBar({ workspace, total, rows, alerts, selectAll, clear }: SelectionBarProps) {
  const resend = useResendAlerts()
  return (
    <div className={classes.bar} data-active={rows > 0 || undefined}>
      <Checkbox
        size="sm"
        label={rows === 0 ? `Select all ${total.toLocaleString('en')} loaded` : `${rows.toLocaleString('en')} selected`}
        checked={rows > 0 && rows === total}
        indeterminate={rows > 0 && rows < total}
        onChange={rows === total ? clear : selectAll}
      />
      {rows > 0 && (
        <Group gap="xs" role="group" aria-label="Actions for the selected alerts">
          <Button size="xs" px="xs" variant="default" aria-label="Clear selection" onClick={clear}>
            Clear
          </Button>
          <PauseSubscriptions workspace={workspace} alerts={alerts} done={clear} />
          <ConfirmAction
            title={alerts.length === 1 ? 'Resend 1 alert?' : `Resend ${alerts.length.toLocaleString('en')} alerts?`}
            text="Each alert goes again to the destinations that did not get it, or to all of its destinations if all got it. Alerts keep their ids, so a receiver that checks ids ignores a repeat."
            verb="Resend"
            isDestructive={false}
            act={async () => {
              await resend(alerts.map(({ id }) => id))
              clear()
            }}
          >
            {(open) => (
              <Button size="xs" px="xs" leftSection={<IconRefresh size={16} />} onClick={open}>
                Resend
              </Button>
            )}
          </ConfirmAction>
        </Group>
      )}
    </div>
  )
}
