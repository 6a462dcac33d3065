// Component tests wait for a result as long as needed; a busy machine is no failure.
import { configure } from '@testing-library/react';

configure({ asyncUtilTimeout: 20_000 });
