import { useNavigate } from '@tanstack/react-router'
import { useWorkspace } from '../../data/use-workspace.ts'
import { CreateDestination } from '../../frames/destination/create-destination.tsx'
import { LinkText } from '../../parts/link-text.tsx'
import { Page, Section } from '../../parts/page.tsx'

export function NewResourcePage() {
  const { fullname: workspace } = useWorkspace()
  const navigate = useNavigate()
  return (
    <Page
      title="New resource"
      about="A destination for alerts. Every subscription of this workspace can use it."
      above={
        <LinkText to="/w/$workspace/resources" params={{ workspace }}>
          Resources
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
