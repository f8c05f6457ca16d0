import { ActionIcon, Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { ConfirmAction } from '../../../components/confirm-action.tsx'
import { IconDots, IconRefresh, IconTrash } from '../../../components/icons.tsx'
import { LinkButton } from '../../../components/link-button.tsx'
import { useChange } from '../../../data/changes.ts'
import type { Trigger } from '../model/definition.ts'

export function TriggerActions({ trigger }: { trigger: Trigger }) {
  const { fullname, workspace, hasDraft } = trigger
  const navigate = useNavigate()
  const reset = useChange('resetTriggerTestStatus', { said: 'Status reset to “not tested”.' })
  const remove = useChange('deleteTrigger', {
    said: `${fullname} was deleted.`,
    touches: ['projects', 'templates', 'subscriptions'],
    after: () => navigate({ to: '/w/$workspace/triggers', params: { workspace } }),
  })
  return (
    <>
      <LinkButton to="/w/$workspace/triggers/$trigger/edit" params={{ workspace, trigger: fullname }} variant="default">
        {hasDraft ? 'Edit draft' : 'Edit'}
      </LinkButton>
      <ConfirmAction
        title={`Delete ${fullname}?`}
        text="Its subscribers stop receiving alerts, and rules that use it no longer work. This cannot be undone."
        verb="Delete trigger"
        act={() => remove.mutateAsync({ fullname })}
      >
        {(askDelete) => (
          <ConfirmAction
            title="Reset the status?"
            text="The trigger is “not tested” until its next successful run, or until you publish it after a test. Its errors are counted from zero."
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
                  <Menu.Item leftSection={<IconTrash size={16} />} c="var(--mantine-color-error)" onClick={askDelete}>
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
