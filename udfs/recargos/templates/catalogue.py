"""The templates by name."""

from __future__ import annotations

from recargos.templates import firm_summary, late_filing, property_tax, retirement, returned_checks, withholding
from recargos.templates.model import Template

TEMPLATES: dict[str, Template] = {
    module.TEMPLATE.name: module.TEMPLATE
    for module in (returned_checks, late_filing, property_tax, withholding, retirement, firm_summary)
}
