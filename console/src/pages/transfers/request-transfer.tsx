import { Button, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { IconTransfer } from '../../components/icons.tsx'
import { Section } from '../../components/page.tsx'
import { useChange } from '../../data/changes.ts'
import { FormFooter } from '../../forms/form-footer.tsx'
import { nameIssue } from '../../forms/names.ts'
import { useForm } from '../../forms/use-form.ts'
import type { Project } from '../../layouts/project/access.ts'
import { ProjectLayout } from '../../layouts/project/project-layout.tsx'
import { PlanDiff } from './plan-diff.tsx'

export function RequestTransferPage() {
  return (
    <ProjectLayout>
      {({ view }) =>
        view.level === 'owner' ? (
          <RequestTransfer project={view} />
        ) : (
          <EmptyState
            icon={IconTransfer}
            title="Owners only"
            text="Only an owner of this workspace can transfer the project."
          />
        )
      }
    </ProjectLayout>
  )
}

/** Shows the plan first. The request refers to exactly this plan. */
function RequestTransfer({ project: { fullname, name, workspace } }: { project: Project }) {
  const navigate = useNavigate()
  const plan = useChange('planTransfer')
  const request = useChange('createTransferRequest', {
    notice: 'Request sent. An owner of the target workspace must accept it.',
    after: () => navigate({ to: '/w/$workspace/transfers', params: { workspace }, search: { direction: 'outgoing' } }),
  })
  const form = useForm({
    initial: { targetWorkspace: '', targetName: name },
    check: ({ targetWorkspace, targetName }) => [
      ...nameIssue('targetWorkspace', targetWorkspace),
      ...nameIssue('targetName', targetName),
    ],
    save: (body) => plan.mutateAsync({ fullname, body }),
  })
  const found = plan.data
  return (
    <>
      <Section
        title="Transfer project"
        about="The project moves when an owner of the target workspace accepts. Its triggers keep running."
      >
        <form onSubmit={form.submit} noValidate>
          <Stack gap="md">
            <TextInput
              label="Target workspace"
              description="The name of the workspace. Its members find it in their settings."
              {...form.text('targetWorkspace')}
            />
            <TextInput label="New project name" {...form.text('targetName')} />
            <FormFooter
              failure={form.failure}
              isSaving={form.isSaving}
              verb="Show plan"
              shownElsewhere={(path) => path in form.values}
            />
          </Stack>
        </form>
      </Section>
      {found && (
        <Section title="Plan" about="The changes of this transfer. Nothing has changed yet.">
          <Stack gap="md">
            <PlanDiff plan={found} />
            <ErrorNotice error={request.error} />
            {found.conflicts.length === 0 && (
              <Button
                style={{ alignSelf: 'flex-start' }}
                loading={request.isPending}
                onClick={() =>
                  request.mutate({
                    fullname,
                    body: {
                      targetWorkspace: found.target.workspace,
                      targetName: found.target.name,
                      expectedPlanHash: found.planHash,
                    },
                  })
                }
              >
                Send request
              </Button>
            )}
          </Stack>
        </Section>
      )}
    </>
  )
}
