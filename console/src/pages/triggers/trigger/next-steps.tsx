import { Button, Group, Modal, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { LinkButton } from '../../../components/link-button.tsx'
import { Section } from '../../../components/page.tsx'
import { useApiQuery } from '../../../data/queries.ts'
import { useWorkspace } from '../../../data/use-workspace.ts'
import { atLeast } from '../../../data/workspace.ts'
import { SaveAsNew } from '../create/save-as-new.tsx'
import { definitionOf, type Trigger } from '../model/definition.ts'

/** Actions on a published trigger, the most common first. */
export function NextSteps({ trigger }: { trigger: Trigger }) {
  const { fullname, workspace, project } = trigger
  const { level } = useWorkspace()
  const mayEdit = atLeast(level, 'developer')
  return (
    <Section title="Next steps" about={mayEdit && <Subscribers fullname={fullname} />}>
      <Group gap="xs">
        <LinkButton to="/w/$workspace/subscriptions/new" params={{ workspace }} search={{ project, trigger: fullname }}>
          Subscribe
        </LinkButton>
        {atLeast(level, 'admin') && (
          <LinkButton to="/w/$workspace/projects/$project/links" params={{ workspace, project }} variant="default">
            Share
          </LinkButton>
        )}
        {mayEdit && <Duplicate trigger={trigger} />}
        <LinkButton to="/w/$workspace/alerts" params={{ workspace }} search={{ trigger: fullname }} variant="default">
          Show alerts
        </LinkButton>
      </Group>
    </Section>
  )
}

/** The number of active subscriptions. A trigger without any does not run. */
function Subscribers({ fullname }: { fullname: string }) {
  const { data } = useApiQuery('getTriggerLogs', { fullname, query: { limit: 1 } }, { pollMs: 15_000 })
  if (!data) return null
  const { active } = data.subscriptions
  const text =
    active === 0
      ? 'No subscriptions yet. The trigger runs when it has an active subscription.'
      : `Running for ${active} active ${active === 1 ? 'subscription' : 'subscriptions'}.`
  return <Text component="span">{text}</Text>
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
