#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/xml_text.h"
#include "cli/compare.h"

namespace heddle::cli {
namespace {

// The share of a bar in the longest one: numbers differ by orders of magnitude, so bars grow with the logarithm.
double share(std::uint64_t n, std::uint64_t most) {
  if (n == 0) return 0;
  return std::log2(static_cast<double>(n) + 1) / std::log2(static_cast<double>(most) + 1);
}

std::uint64_t most_executions(const std::vector<ComparedRow>& rows) {
  std::uint64_t most = 1;
  for (const ComparedRow& row : rows) most = std::max(most, row.executions);
  return most;
}

std::string number_or_dash(std::uint64_t n) { return n == 0 ? "-" : std::to_string(n); }

std::string ended(const ComparedRow& row) { return row.exhausted ? "yes" : "no"; }

std::vector<std::string> cells(const ComparedRow& row) {
  if (!row.ran()) return {row.algorithm, "-", "-", "-", "-", "-", "-", "-", "-"};
  return {row.algorithm,
          std::to_string(row.executions),
          number_or_dash(row.classes),
          number_or_dash(row.states),
          number_or_dash(row.events),
          std::to_string(row.findings),
          ended(row),
          fmt::format("{:.2f}", row.seconds),
          fmt::format("{}", (row.kilobytes + 1023) / 1024)};
}

// Why algorithms were not run or did not come to an end, once for all that have the same reason.
struct Remark {
  std::string text, algorithms;
};
std::vector<Remark> remarks(const std::vector<ComparedRow>& rows) {
  std::vector<Remark> remarks;
  for (const ComparedRow& row : rows) {
    if (row.reason.empty() || row.exhausted) continue;
    const auto same =
        std::find_if(remarks.begin(), remarks.end(), [&](const Remark& remark) { return remark.text == row.reason; });
    if (same == remarks.end())
      remarks.push_back({row.reason, row.algorithm});
    else
      same->algorithms += ", " + row.algorithm;
  }
  return remarks;
}

const std::vector<std::string> kHeads = {"algorithm", "executions", "classes", "states", "events",
                                         "bugs",      "all",        "seconds", "MiB"};

std::string json_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      out += c;
  }
  return out + "\"";
}

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n") == text.npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

}  // namespace

std::string compared_as_text(const std::vector<ComparedRow>& rows) {
  constexpr int kBar = 24;
  std::vector<std::size_t> widths;
  for (const std::string& head : kHeads) widths.push_back(head.size());
  for (const ComparedRow& row : rows)
    for (std::size_t i = 0; i < kHeads.size(); ++i) widths[i] = std::max(widths[i], cells(row)[i].size());
  const auto line = [&](const std::vector<std::string>& texts, const std::string& bar) {
    std::string out = fmt::format("{:<{}}", texts[0], widths[0]);
    for (std::size_t i = 1; i < texts.size(); ++i) out += fmt::format("  {:>{}}", texts[i], widths[i]);
    if (!bar.empty()) out += "  " + bar;
    return out + "\n";
  };
  std::string out = line(kHeads, "executions, logarithmic");
  const std::uint64_t most = most_executions(rows);
  for (const ComparedRow& row : rows) {
    std::string bar;
    for (int i = 0; i < static_cast<int>(std::lround(share(row.executions, most) * kBar)); ++i) bar += "█";
    out += line(cells(row), bar);
  }
  for (const Remark& remark : remarks(rows)) out += fmt::format("{}: {}\n", remark.algorithms, remark.text);
  return out;
}

std::string compared_as_csv(const std::vector<ComparedRow>& rows) {
  std::string out = "algorithm,verdict,exhausted,executions,classes,states,events,findings,seconds,kilobytes,reason\n";
  for (const ComparedRow& r : rows)
    out += fmt::format("{},{},{},{},{},{},{},{},{:.3f},{},{}\n", r.algorithm, r.verdict, r.exhausted, r.executions,
                       r.classes, r.states, r.events, r.findings, r.seconds, r.kilobytes, csv_text(r.reason));
  return out;
}

std::string compared_as_json(const std::string& program, const std::vector<ComparedRow>& rows) {
  std::string out = "{\n  \"program\": " + json_text(program) + ",\n  \"algorithms\": [";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ComparedRow& r = rows[i];
    out += fmt::format(
        "{}\n    {{\"algorithm\": {}, \"verdict\": {}, \"exhausted\": {}, \"executions\": {}, \"classes\": {}, "
        "\"states\": {}, \"events\": {}, \"findings\": {}, \"seconds\": {:.3f}, \"kilobytes\": {}, \"reason\": {}}}",
        i == 0 ? "" : ",", json_text(r.algorithm), json_text(r.verdict), r.exhausted, r.executions, r.classes, r.states,
        r.events, r.findings, r.seconds, r.kilobytes, json_text(r.reason));
  }
  return out + "\n  ]\n}\n";
}

std::string compared_as_html(const std::string& program, const std::vector<ComparedRow>& rows) {
  std::string out =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Algorithms on " +
      xml_text(program) +
      "</title>\n<style>\n:root { color-scheme: light dark; }\n"
      "body { font: 15px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }\n"
      "table { border-collapse: collapse; width: 100%; }\n"
      "th, td { padding: .3rem .6rem; text-align: right; border-bottom: 1px solid #8884; white-space: nowrap; }\n"
      "th:first-child, td:first-child, .bar { text-align: left; }\n.bar { width: 25%; }\n"
      ".bar span { display: block; height: .8em; background: #4878a8; border-radius: 2px; }\n"
      ".left-out { opacity: .6; }\n</style></head><body>\n"
      "<h1>Algorithms on " +
      xml_text(program) + "</h1>\n<table><thead><tr>";
  for (const std::string& head : kHeads) out += "<th scope=\"col\">" + head + "</th>";
  out += "<th class=\"bar\" scope=\"col\">executions, logarithmic</th></tr></thead><tbody>\n";
  const std::uint64_t most = most_executions(rows);
  for (const ComparedRow& row : rows) {
    out += row.ran() ? "<tr>" : "<tr class=\"left-out\">";
    for (const std::string& cell : cells(row)) out += "<td>" + xml_text(cell) + "</td>";
    out += fmt::format("<td class=\"bar\"><span style=\"width:{:.1f}%\"></span></td></tr>\n",
                       100 * share(row.executions, most));
  }
  out += "</tbody></table>\n";
  for (const Remark& remark : remarks(rows))
    out += "<p><b>" + xml_text(remark.algorithms) + "</b>: " + xml_text(remark.text) + "</p>\n";
  return out +
         "<p>all: whether everything was explored within the budget. MiB: the most memory in use at "
         "any time.</p>\n</body></html>\n";
}

}  // namespace heddle::cli
