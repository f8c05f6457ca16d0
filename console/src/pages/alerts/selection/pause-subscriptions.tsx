import { Button } from '@mantine/core'
import { ConfirmAction } from '../../../components/confirm-action.tsx'
import { useChange } from '../../../data/changes.ts'
import { useApiList } from '../../../data/lists.ts'
import { notifySuccess } from '../../../data/notices.ts'
import type { Alert } from '../../../layouts/alert/alert-status.ts'

type PauseSubscriptionsProps = { workspace: string; alerts: readonly Alert[]; done: () => void }

/** Pauses the reader's own subscriptions behind the selected alerts. Nobody can pause those of others. */
export function PauseSubscriptions({ workspace, alerts, done }: PauseSubscriptionsProps) {
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
