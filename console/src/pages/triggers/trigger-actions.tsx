import { ActionIcon, Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useChange } from '../../data/changes.ts'
import { ConfirmAction } from '../../parts/confirm-action.tsx'
import { IconDots, IconRefresh, IconTrash } from '../../parts/icons.tsx'
import { LinkButton } from '../../parts/link-button.tsx'
import type { Trigger } from './definition.ts'

export function TriggerActions({ trigger }: { trigger: Trigger }) {
  const { fullname, workspace, hasDraft } = trigger
  const navigate = useNavigate()
  const reset = useChange('resetTriggerTestStatus', { said: 'The status is not tested again.' })
  const remove = useChange('deleteTrigger', {
    said: `${fullname} was deleted.`,
    touches: ['projects', 'templates', 'subscriptions'],
    after: () => navigate({ to: '/w/$workspace/triggers', params: { workspace } }),
  })
  return (
    <>
      <LinkButton to="/w/$workspace/triggers/$trigger/edit" params={{ workspace, trigger: fullname }}>
        {hasDraft ? 'Edit the draft' : 'Edit'}
      </LinkButton>
      <ConfirmAction
        title={`Delete ${fullname}?`}
        text="Whoever subscribed to it stops receiving alerts, and rules that use it no longer work. This cannot be undone."
        verb="Delete trigger"
        act={() => remove.mutateAsync({ fullname })}
      >
        {(askDelete) => (
          <ConfirmAction
            title="Reset the status?"
            text="The trigger counts as not tested until it is published after a test, and errors begin to count anew."
            verb="Reset status"
            isDestructive={false}
            act={() => reset.mutateAsync({ fullname })}
          >
            {(askReset) => (
              <Menu position="bottom-end">
                <Menu.Target>
                  <ActionIcon variant="default" size="input-sm" aria-label="More actions">
                    <IconDots />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item leftSection={<IconRefresh size={16} />} onClick={askReset}>
                    Reset test status
                  </Menu.Item>
                  <Menu.Item leftSection={<IconTrash size={16} />} onClick={askDelete}>
                    Delete
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            )}
          </ConfirmAction>
        )}
      </ConfirmAction>
    </>
  )
}
