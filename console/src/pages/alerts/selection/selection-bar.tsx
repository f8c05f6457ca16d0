import { Button, Checkbox, Group } from '@mantine/core'
import { ConfirmAction } from '../../../components/confirm-action.tsx'
import { IconRefresh } from '../../../components/icons.tsx'
import { useChange } from '../../../data/changes.ts'
import { useApiList } from '../../../data/lists.ts'
import { notifySuccess } from '../../../data/notices.ts'
import type { Alert } from '../../../layouts/alert/alert-status.ts'
import classes from './selection-bar.module.css'

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

/** What the service takes in one call. */
const idsMax = 100

/** Resends alerts, and says how many are queued. A second try after an error queues no alert that is queued already. */
function useResendAlerts(): (ids: readonly string[]) => Promise<void> {
  const replay = useChange('replayAlerts')
  return async (ids) => {
    let resent = 0
    for (let at = 0; at < ids.length; at += idsMax)
      resent += (await replay.mutateAsync({ body: { ids: ids.slice(at, at + idsMax) } })).resentCount
    notifySuccess(noticeOf(resent, ids.length - resent))
  }
}

function noticeOf(resent: number, others: number): string {
  if (resent === 0) return 'There was nothing to resend.'
  const rest = others === 0 ? '' : ` ${countOf(others)} had nothing to resend.`
  return `${countOf(resent)} queued for resending.${rest}`
}

function countOf(alerts: number): string {
  return alerts === 1 ? '1 alert' : `${alerts.toLocaleString('en')} alerts`
}

type PauseSubscriptionsProps = { workspace: string; alerts: readonly Alert[]; done: () => void }

/** Pauses the reader's own subscriptions behind the selected alerts. Nobody can pause those of others. */
function PauseSubscriptions({ workspace, alerts, done }: PauseSubscriptionsProps) {
  const { items } = useApiList('listSubscriptions', { query: { workspace } })
  const pause = useChange('pauseSubscription')
  const behind = new Set(alerts.map(({ subscription }) => subscription))
  const own = items.filter(({ id, status, account }) => behind.has(id) && status === 'active' && account === undefined)
  if (own.length === 0) return null
  const count = own.length === 1 ? '1 subscription' : `${own.length.toLocaleString('en')} subscriptions`
  return (
    <ConfirmAction
      title={`Pause ${count}?`}
      text={`${own.map(({ meta, trigger, project }) => meta.title ?? trigger ?? project).join(', ')}. They make no alerts until you resume them, and none later for what happens until then.`}
      verb="Pause"
      isDestructive={false}
      act={async () => {
        for (const { id } of own) await pause.mutateAsync({ id })
        notifySuccess(`Paused ${count}.`)
        done()
      }}
    >
      {(open) => (
        <Button size="xs" px="xs" variant="default" onClick={open}>
          {own.length === 1 ? 'Pause subscription' : 'Pause subscriptions'}
        </Button>
      )}
    </ConfirmAction>
  )
}
