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
  const reset = useChange('resetTriggerTestStatus', { notice: 'Status reset to “not tested”.' })
  const remove = useChange('deleteTrigger', {
    notice: `${fullname} deleted.`,
    refetches: ['projects', 'templates', 'subscriptions'],
    after: () => navigate({ to: '/w/$workspace/triggers', params: { workspace } }),
  })
  return (
    <>
      <LinkButton to="/w/$workspace/triggers/$trigger/edit" params={{ workspace, trigger: fullname }} variant="default">
        {hasDraft ? 'Edit draft' : 'Edit'}
      </LinkButton>
      <ConfirmAction
        title={`Delete ${fullname}?`}
        text="Its subscribers receive no more alerts, and template rules that use it stop working. This cannot be undone."
        verb="Delete trigger"
        act={() => remove.mutateAsync({ fullname })}
      >
        {(askDelete) => (
          <ConfirmAction
            title="Reset the status?"
            text="The status becomes “not tested” until the next successful run, or until you test and publish the trigger. The error count is reset to zero."
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
                    Reset status
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
