import * as z from 'zod'
import { ListQuery, OperationResult } from '../base/common.ts'
import { ProjectTemplate, TemplateSave } from '../templates.ts'
import type { Route } from './route.ts'

export const templateRoutes = {
  listTemplates: {
    method: 'GET',
    path: '/api/projects/:fullname/templates',
    noun: 'templates',
    summary: 'Templates of a project, the root first',
    description: 'Lists the templates of a readable project, oldest first. The first one is the root template.',
    auth: 'account',
    scopes: ['read'],
    query: ListQuery,
    reply: z.array(ProjectTemplate),
    list: true,
  },
  getRootTemplate: {
    method: 'GET',
    path: '/api/projects/:fullname/template',
    noun: 'templates',
    summary: 'The root template of a project',
    hasTag: true,
    description:
      'Answers the first template of the project. When the root is deleted, the oldest remaining template becomes the root.',
    auth: 'account',
    scopes: ['read'],
    reply: ProjectTemplate,
  },
  createTemplate: {
    method: 'POST',
    reachesNetwork: false,
    path: '/api/projects/:fullname/templates',
    noun: 'templates',
    summary: 'Create a template',
    hasTag: true,
    description:
      'Creates a template: groups and topics that people choose from, and rules that connect topics with triggers. A rule whose trigger does not exist is saved with an `issue` and cannot be subscribed to until it does. Needs the role developer.',
    refusals: ['fullname_mismatch', 'limit_reached'],
    auth: 'account',
    scopes: ['write'],
    body: TemplateSave,
    reply: ProjectTemplate,
  },
  getTemplate: {
    method: 'GET',
    path: '/api/projects/:fullname/templates/:id',
    noun: 'templates',
    summary: 'One template',
    hasTag: true,
    description: 'Answers one template of a readable project, with the issues of its rules.',
    auth: 'account',
    scopes: ['read'],
    reply: ProjectTemplate,
  },
  saveTemplate: {
    method: 'PUT',
    path: '/api/projects/:fullname/templates/:id',
    noun: 'templates',
    summary: 'Save a template',
    hasTag: true,
    description:
      'Saves the template in full: an omitted optional field is cleared. Subscriptions to the template follow the change. Needs the role developer.',
    refusals: ['fullname_mismatch', 'immutable_field', 'limit_reached'],
    auth: 'account',
    scopes: ['write'],
    body: TemplateSave,
    reply: ProjectTemplate,
  },
  deleteTemplate: {
    method: 'DELETE',
    path: '/api/projects/:fullname/templates/:id',
    noun: 'templates',
    summary: 'Delete a template',
    description:
      'Deletes the template. If it is the root, the oldest remaining template becomes the root. Needs the role admin.',
    auth: 'account',
    scopes: ['write'],
    reply: OperationResult,
  },
} as const satisfies Record<string, Route>
