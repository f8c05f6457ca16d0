import { Button } from '@mantine/core'
import { ConfirmAction } from '../../components/confirm-action.tsx'
import { IconRefresh } from '../../components/icons.tsx'
import { useChange } from '../../data/changes.ts'
import type { TracedAlert } from '../../layouts/alert/alert-status.ts'

/** Resends failed deliveries, or all of them. Receivers recognise a repeat by the alert's id. Retracted and waiting alerts are not resent. */
export function Replay({ alert: { id, status, deliveries } }: { alert: TracedAlert }) {
  const replay = useChange('replayAlert', { notice: 'Queued for resending.' })
  if (deliveries.length === 0 || status === 'retracted' || status === 'waiting') return null
  const failed = deliveries.filter(({ status }) => status === 'dead').length
  return (
    <>
      {failed > 0 && (
        <ConfirmAction
          title="Resend failed deliveries?"
          text={`${failed === 1 ? 'One failed delivery will be' : `${failed} failed deliveries will be`} resent, with retries for about a day.`}
          verb="Resend failed"
          isDestructive={false}
          act={() => replay.mutateAsync({ id, body: { all: false } })}
        >
          {(open) => (
            <Button leftSection={<IconRefresh />} onClick={open}>
              Resend failed
            </Button>
          )}
        </ConfirmAction>
      )}
      <ConfirmAction
        title="Resend to all destinations?"
        text="Every destination receives this alert again. The alert keeps its id, so a receiver that checks ids ignores the repeat."
        verb="Resend"
        isDestructive={false}
        act={() => replay.mutateAsync({ id, body: { all: true } })}
      >
        {(open) => (
          <Button variant="default" onClick={open}>
            Resend
          </Button>
        )}
      </ConfirmAction>
    </>
  )
}
