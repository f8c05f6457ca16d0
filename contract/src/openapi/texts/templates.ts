import type { templateRoutes } from '../../routes/templates.ts'
import type { TextsOf } from './operation-text.ts'

export const templateTexts: TextsOf<typeof templateRoutes> = {
  listTemplates: {
    description: 'Lists the templates of a readable project, oldest first. The first one is the root template.',
  },
  getRootTemplate: {
    hasTag: true,
    description:
      'Answers the first template of the project. When the root is deleted, the oldest remaining template becomes the root.',
  },
  createTemplate: {
    hasTag: true,
    description:
      'Creates a template: groups and topics that people choose from, and rules that connect topics with triggers. A rule whose trigger does not exist is saved with an `issue` and cannot be subscribed to until it does. Needs the role developer.',
    refusals: ['fullname_mismatch', 'limit_reached'],
  },
  getTemplate: {
    hasTag: true,
    description: 'Answers one template of a readable project, with the issues of its rules.',
  },
  saveTemplate: {
    hasTag: true,
    description:
      'Saves the template in full: an omitted optional field is cleared. Subscriptions to the template follow the change. Needs the role developer.',
    refusals: ['fullname_mismatch', 'immutable_field', 'limit_reached'],
  },
  deleteTemplate: {
    description:
      'Deletes the template. If it is the root, the oldest remaining template becomes the root. Needs the role admin.',
  },
}
