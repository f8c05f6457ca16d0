import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { ConfirmAction } from '../../components/confirm-action.tsx'
import { DangerButton } from '../../components/danger-button.tsx'
import { IconRefresh } from '../../components/icons.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { useChange } from '../../data/changes.ts'
import { atLeast, type Level } from '../../data/workspace.ts'
import type { Source } from './kinds.ts'

export function SourceActions({ source, level }: { source: Source; level: Level }) {
  const { fullname, workspace } = source
  const navigate = useNavigate()
  const restart = useChange('restartCustomSource', { said: 'The source restarts.' })
  const reset = useChange('resetCustomSourceLag', {
    said: ({ skippedBlocks, latestBlock }) => `Moved to block ${latestBlock}; ${skippedBlocks} blocks were skipped.`,
  })
  const remove = useChange('deleteCustomSource', {
    said: `${fullname} was deleted.`,
    touches: ['triggers'],
    after: () => navigate({ to: '/w/$workspace/sources', params: { workspace } }),
  })
  return (
    <>
      <LinkButton to="/w/$workspace/sources/$source/edit" params={{ workspace, source: fullname }} variant="default">
        Edit
      </LinkButton>
      <ConfirmAction
        title="Restart the source?"
        text="It connects anew and goes on with the next block it has not processed. Nothing is lost."
        verb="Restart"
        isDestructive={false}
        act={() => restart.mutateAsync({ fullname })}
      >
        {(open) => (
          <Button variant="default" leftSection={<IconRefresh />} onClick={open}>
            Restart
          </Button>
        )}
      </ConfirmAction>
      <ConfirmAction
        title="Skip to the head?"
        text="Blocks that were not processed yet are never looked at: alerts they would have caused are not sent. This cannot be undone."
        verb="Skip these blocks"
        act={() => reset.mutateAsync({ fullname })}
      >
        {(open) => (
          <Button variant="default" onClick={open}>
            Reset lag
          </Button>
        )}
      </ConfirmAction>
      {atLeast(level, 'admin') && (
        <ConfirmAction
          title={`Delete ${fullname}?`}
          text="Triggers that listen to it become broken until they are given another source."
          verb="Delete source"
          typed={fullname}
          act={() => remove.mutateAsync({ fullname })}
        >
          {(open) => <DangerButton onClick={open}>Delete</DangerButton>}
        </ConfirmAction>
      )}
    </>
  )
}
