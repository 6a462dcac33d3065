// What a component's test waits for comes as soon as it can; a machine that has much to do is no failure.
import { configure } from '@testing-library/react';

configure({ asyncUtilTimeout: 20_000 });
