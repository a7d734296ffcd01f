"""The templates by name."""

from __future__ import annotations

from recargos.templates import firm_summary, late_filing, property_tax, retirement, returned_checks, withholding
from recargos.templates.model import Template

TEMPLATES: dict[str, Template] = {
    template.name: template
    for template in (
        returned_checks.TEMPLATE,
        late_filing.TEMPLATE,
        property_tax.TEMPLATE,
        withholding.TEMPLATE,
        retirement.TEMPLATE,
        firm_summary.TEMPLATE,
    )
}
