import { ActionIcon, Button, Menu, Modal } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { ConfirmAction } from '../../../components/confirm-action.tsx'
import { IconDots, IconPlus, IconRefresh } from '../../../components/icons.tsx'
import { LinkButton } from '../../../components/links.tsx'
import { useChange } from '../../../data/changes.ts'
import { atLeast, useWorkspace } from '../../../data/workspace.ts'
import { SaveAsNew } from '../create/save-as-new.tsx'
import { definitionOf, type Trigger } from '../model/definition.ts'

/** The section that History leads to. */
export const versionsId = 'versions'

/** What people do next with a trigger. Subscribe is the primary action. */
export function TriggerActions({ trigger }: { trigger: Trigger }) {
  const { fullname, workspace, project, hasDraft } = trigger
  const { level } = useWorkspace()
  const mayEdit = atLeast(level, 'developer')
  return (
    <>
      {mayEdit && (
        <LinkButton
          to="/w/$workspace/triggers/$trigger/edit"
          params={{ workspace, trigger: fullname }}
          variant="default"
        >
          {hasDraft ? 'Edit draft' : 'Edit'}
        </LinkButton>
      )}
      {atLeast(level, 'admin') && (
        <LinkButton to="/w/$workspace/projects/$project/links" params={{ workspace, project }} variant="default">
          Share
        </LinkButton>
      )}
      {mayEdit && <Duplicate trigger={trigger} />}
      <LinkButton to="/w/$workspace/alerts" params={{ workspace }} search={{ trigger: fullname }} variant="default">
        Show alerts
      </LinkButton>
      {mayEdit && (
        <Button variant="default" onClick={() => document.getElementById(versionsId)?.scrollIntoView()}>
          History
        </Button>
      )}
      {mayEdit && <MoreActions fullname={fullname} />}
      <LinkButton
        to="/w/$workspace/subscriptions/new"
        params={{ workspace }}
        search={{ project, trigger: fullname }}
        leftSection={<IconPlus />}
      >
        Subscribe
      </LinkButton>
    </>
  )
}

function MoreActions({ fullname }: { fullname: string }) {
  const reset = useChange('resetTriggerTestStatus', { notice: 'Status reset to “not tested”.' })
  return (
    <ConfirmAction
      title="Reset the status?"
      text="The status becomes “not tested” until the next successful run, or until you test and publish the trigger. The error count is reset to zero."
      verb="Reset status"
      isDestructive={false}
      act={() => reset.mutateAsync({ fullname })}
    >
      {(ask) => (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="default" size="input-sm" aria-label="More actions">
              <IconDots />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconRefresh size={16} />} onClick={ask}>
              Reset status
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </ConfirmAction>
  )
}

function Duplicate({ trigger }: { trigger: Trigger }) {
  const [isOpen, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button variant="default" onClick={open}>
        Duplicate
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={`Duplicate ${trigger.meta.title}`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <SaveAsNew definition={definitionOf(trigger)} />
      </Modal>
    </>
  )
}
