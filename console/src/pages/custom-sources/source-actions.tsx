import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { ConfirmAction, DangerButton } from '../../components/confirm-action.tsx'
import { IconRefresh } from '../../components/icons.tsx'
import { LinkButton } from '../../components/links.tsx'
import { useChange } from '../../data/changes.ts'
import { atLeast, type Level } from '../../data/workspace.ts'
import type { Source } from './kinds.ts'

export function SourceActions({ source, level }: { source: Source; level: Level }) {
  const { fullname, workspace } = source
  const navigate = useNavigate()
  const restart = useChange('restartCustomSource', { notice: 'The source is restarting.' })
  const reset = useChange('resetCustomSourceLag', {
    notice: ({ skippedBlocks, latestBlock }) =>
      `Skipped ${skippedBlocks} blocks. The source continues at block ${latestBlock}.`,
  })
  const remove = useChange('deleteCustomSource', {
    notice: `${fullname} deleted.`,
    refetches: ['triggers'],
    after: () => navigate({ to: '/w/$workspace/sources', params: { workspace } }),
  })
  return (
    <>
      <LinkButton to="/w/$workspace/sources/$source/edit" params={{ workspace, source: fullname }} variant="default">
        Edit
      </LinkButton>
      <ConfirmAction
        title="Restart the source?"
        text="The source reconnects and continues with the next unprocessed block. No block is lost."
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
        title="Skip to the latest block?"
        text="Unprocessed blocks are skipped. Alerts for them are never sent. This cannot be undone."
        verb="Skip blocks"
        act={() => reset.mutateAsync({ fullname })}
      >
        {(open) => (
          <Button variant="default" onClick={open}>
            Skip to latest block
          </Button>
        )}
      </ConfirmAction>
      {atLeast(level, 'admin') && (
        <ConfirmAction
          title={`Delete ${fullname}?`}
          text="Triggers that use this source are broken until you choose another source for them."
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
