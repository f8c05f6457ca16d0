import { Title } from '@mantine/core'
import { IconPlus } from '../../components/icons.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { Page } from '../../components/page.tsx'
import { useWorkspace } from '../../data/use-workspace.ts'
import { isFailing, useDestinations } from '../../layouts/destination/health.tsx'
import { GoalCards } from '../../layouts/watch/goal-cards.tsx'

/** What needs a person now, and what to watch next. */
export function WorkspaceHomePage() {
  const { fullname: workspace } = useWorkspace()
  const failing = useDestinations(workspace).items.filter(isFailing).length
  return (
    <Page
      title={headlineOf(failing)}
      crumb="Home"
      actions={
        <LinkButton to="/w/$workspace/watch" params={{ workspace }} leftSection={<IconPlus />}>
          Watch…
        </LinkButton>
      }
    >
      <section aria-label="Goals">
        <Title order={2} mb="sm">
          Watch…
        </Title>
        <GoalCards workspace={workspace} />
      </section>
    </Page>
  )
}

function headlineOf(failing: number): string {
  if (failing === 0) return 'All quiet. Nothing needs you.'
  return failing === 1 ? '1 destination is failing.' : `${failing} destinations are failing.`
}
