import { Button } from '@mantine/core'
import { useChange } from '../../data/changes.ts'
import { ConfirmAction } from '../../parts/confirm-action.tsx'
import { IconRefresh } from '../../parts/icons.tsx'
import type { TracedAlert } from './alert.tsx'

/** Sends again what did not arrive; or all of it, which receivers can tell by the alert's id. What was taken back stays so. */
export function Replay({ alert: { id, status, deliveries } }: { alert: TracedAlert }) {
  const replay = useChange('replayAlert', { said: 'On its way again.' })
  if (deliveries.length === 0 || status === 'retracted') return null
  const failed = deliveries.filter(({ status }) => status === 'dead').length
  return (
    <>
      {failed > 0 && (
        <ConfirmAction
          title="Replay what failed?"
          text={`${failed === 1 ? 'One delivery' : `${failed} deliveries`} that did not arrive are tried again, for about a day.`}
          verb="Replay"
          isDestructive={false}
          act={() => replay.mutateAsync({ id, body: { all: false } })}
        >
          {(open) => (
            <Button leftSection={<IconRefresh />} onClick={open}>
              Replay what failed
            </Button>
          )}
        </ConfirmAction>
      )}
      <ConfirmAction
        title="Send everything again?"
        text="Every destination gets this alert once more, also those that already have it. It keeps its id, so a receiver that looks at ids drops the repeat."
        verb="Send again"
        isDestructive={false}
        act={() => replay.mutateAsync({ id, body: { all: true } })}
      >
        {(open) => (
          <Button variant="default" onClick={open}>
            Send all again
          </Button>
        )}
      </ConfirmAction>
    </>
  )
}
