// Row G1's peer for the operators' console: three resources as react-admin's tutorial would write them, with its own sign-in, lists,
// forms and pages.
import simpleRestProvider from 'ra-data-simple-rest';
import {
  Admin,
  Create,
  Datagrid,
  DateField,
  Edit,
  EmailField,
  List,
  ReferenceField,
  ReferenceInput,
  Resource,
  SearchInput,
  SelectInput,
  Show,
  SimpleForm,
  SimpleShowLayout,
  TextField,
  TextInput,
} from 'react-admin';
import { createRoot } from 'react-dom/client';

const authProvider = {
  login: async () => {},
  logout: async () => {},
  checkAuth: async () => {
    throw new Error('nobody has signed in');
  },
  checkError: async () => {},
  getPermissions: async () => undefined,
};

const UserList = () => (
  <List filters={[<SearchInput key="q" source="q" alwaysOn />]}>
    <Datagrid>
      <TextField source="name" />
      <EmailField source="email" />
    </Datagrid>
  </List>
);
const UserShow = () => (
  <Show>
    <SimpleShowLayout>
      <TextField source="name" />
      <EmailField source="email" />
    </SimpleShowLayout>
  </Show>
);
const PostList = () => (
  <List>
    <Datagrid>
      <TextField source="title" />
      <ReferenceField source="user_id" reference="users" />
      <DateField source="published_at" />
    </Datagrid>
  </List>
);
const fields = (
  <SimpleForm>
    <TextInput source="title" />
    <ReferenceInput source="user_id" reference="users">
      <SelectInput />
    </ReferenceInput>
  </SimpleForm>
);
const PostEdit = () => <Edit>{fields}</Edit>;
const PostCreate = () => <Create>{fields}</Create>;
const CommentList = () => (
  <List>
    <Datagrid>
      <TextField source="body" />
      <ReferenceField source="post_id" reference="posts" />
    </Datagrid>
  </List>
);

createRoot(document.getElementById('root') as HTMLElement).render(
  <Admin dataProvider={simpleRestProvider('/api')} authProvider={authProvider} disableTelemetry>
    <Resource name="posts" list={PostList} edit={PostEdit} create={PostCreate} />
    <Resource name="users" list={UserList} show={UserShow} />
    <Resource name="comments" list={CommentList} />
  </Admin>,
);
