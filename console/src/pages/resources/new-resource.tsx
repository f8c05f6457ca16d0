import { useNavigate } from '@tanstack/react-router'
import { LinkText } from '../../components/links.tsx'
import { Page, Section } from '../../components/page.tsx'
import { useWorkspace } from '../../data/workspace.ts'
import { CreateDestination } from '../../layouts/destination/create-destination.tsx'

export function NewResourcePage() {
  const { fullname: workspace } = useWorkspace()
  const navigate = useNavigate()
  return (
    <Page
      title="New destination"
      about="All subscriptions of this workspace can use the destination."
      breadcrumb={
        <LinkText to="/w/$workspace/resources" params={{ workspace }}>
          Destinations
        </LinkText>
      }
      isNarrow
    >
      <Section>
        <CreateDestination
          workspace={workspace}
          created={({ fullname }) =>
            navigate({ to: '/w/$workspace/resources/$resource', params: { workspace, resource: fullname } })
          }
        />
      </Section>
    </Page>
  )
}
